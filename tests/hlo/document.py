"""Programs of the kinds that XLA's document on asynchronous instructions shows, in its spellings.

These are a bundle whose operand is no tuple, operands without types, and attributes of the operation at an update.
"""

ONE = """
%twice {
  %p = f32[64] parameter(0)
  ROOT %op = f32[32] op(f32[64] %p), setting=high
}

%async-start = (f32[64], f32[32], s32[]) async-start(f32[64] %operand), calls=%twice
%async-done = f32[32] async-done((f32[64], f32[32], s32[]) %async-start)
"""

SEVERAL = """
%twice {
  %p = f32[64] parameter(0)
  %q = f32[64] parameter(1)
  ROOT %op = (f32[32], f32[32]) op(f32[64] %p, f32[64] %q), setting=high
}

%async-start = ((f32[64], f32[64]), (f32[32], f32[32]), s32[]) async-start(f32[64] %a,
    f32[64] %b), calls=%twice
%async-done = (f32[32], f32[32]) async-done(%async-start)
"""

UPDATES = """
%twice {
  %p = f32[64] parameter(0)
  ROOT %op = f32[32] op(f32[64] %p), setting=high
}

%async-start = (f32[64], f32[32], s32[]) async-start(f32[64] %operand), calls=%twice
%async-update0 = (f32[64], f32[32], s32[]) async-update((f32[64], f32[32], s32[]) %async-start)
%async-update1 = (f32[64], f32[32], s32[]) async-update((f32[64], f32[32], s32[]) %async-update0)
%async-done = f32[32] async-done((f32[64], f32[32], s32[]) %async-update1)
"""

SUGAR = """
%op-start = (f32[64], f32[32], s32[]) op-start(f32[64] %operand), setting=high
%op-update0 = (f32[64], f32[32], s32[]) op-update((f32[64], f32[32], s32[]) %op-start), setting=high
%op-update1 = (f32[64], f32[32], s32[]) op-update((f32[64], f32[32], s32[]) %op-update0)
%op-done = f32[32] op-done((f32[64], f32[32], s32[]) %op-update1)
"""

EXAMPLES = {"one": ONE, "several": SEVERAL, "updates": UPDATES, "sugar": SUGAR}


def as_custom_calls(text: str) -> str:
    """The example with an operation that XLA knows."""
    text = text.replace("setting=high", 'custom_call_target="op"')
    for step in ("start", "update0", "update1", "update", "done"):
        text = text.replace(f"op-{step}(", f"custom-call-{step}(")
    return text.replace(" op(", " custom-call(").replace("async-custom-call", "async")
