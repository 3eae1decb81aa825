"""An operation and its declaration written as skills. Text from the API's document is data, never words of ours."""
