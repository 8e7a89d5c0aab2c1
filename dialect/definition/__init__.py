"""The dialect as IRDL and the bindings know it: attributes, ops, types."""
