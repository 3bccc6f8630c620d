"""What the stand-in must do, whatever the product asks of it."""
