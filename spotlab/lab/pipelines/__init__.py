"""Reading pages by many pipelines, whose answers are compared as votes."""
