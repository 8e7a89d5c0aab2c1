"""What readies programs for the partitioner: edges sink, dimensions close, reshards are made (spec: export-passes)."""
