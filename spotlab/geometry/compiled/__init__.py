"""Areas in machine code, and where that is kept between starts."""
