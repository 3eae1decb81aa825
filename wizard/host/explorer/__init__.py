"""Every interleaving of the host's rules, explored."""
