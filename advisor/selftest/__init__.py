"""What only a real server can prove, tried there in one go, in figures that can be given away."""
