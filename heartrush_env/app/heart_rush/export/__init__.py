"""Export of agents to files that other programs run without Python; ONNX needs the extra `export`."""
