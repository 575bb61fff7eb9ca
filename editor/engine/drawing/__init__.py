"""Drawing and cropping code that several operations share."""
