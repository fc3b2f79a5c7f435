"""Export of agents to files that other programs run without Python; ONNX requires `heartrush-env[export]`."""
