"""The wizard's steps without a screen: a frozen state, and functions that give the next one."""
