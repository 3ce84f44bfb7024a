PACKED = ""
