"""The dialect `hlo_async`: one generic form for asynchronous operations of any kind (spec: async, 10)."""
