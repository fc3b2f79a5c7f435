"""Agents as files that other programs run without Python; ONNX needs the extra `export`."""
