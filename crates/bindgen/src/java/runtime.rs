//! What generated classes share, as Java text.

use super::lines::literal;
use super::surface::Java;
use crate::{File, glue};
use upcall_packers::repeated;

const WIDE: &str = "    /** 128 bits at a place. */
    static Int128 wide(MemorySegment segment, long offset) {
        return new Int128(segment.get(LONG, offset + @HIGH@L), segment.get(LONG, offset + @LOW@L));
    }

    static void wide(MemorySegment segment, long offset, Int128 value) {
        segment.set(LONG, offset + @HIGH@L, value.high());
        segment.set(LONG, offset + @LOW@L, value.low());
    }

";

const WIDE_SCRATCH: &str = "
        MemorySegment wide(Int128 value) {
            MemorySegment memory = room(16L, 16L);
            Native.wide(memory, 0L, value);
            return memory;
        }
";

impl Java<'_> {
    /// The shared classes. `wide`: including those for 128 bits.
    pub fn runtime(&self, wide: bool) -> Vec<File> {
        let mut files = vec![
            ("Native", include_str!("runtime/Native.java")),
            ("NativeException", include_str!("runtime/NativeException.java")),
            ("NativeBuffer", include_str!("runtime/NativeBuffer.java")),
            ("NativeCallback", include_str!("runtime/NativeCallback.java")),
            ("NativeStubs", include_str!("runtime/NativeStubs.java")),
            ("NativeThrown", include_str!("runtime/NativeThrown.java")),
            ("NativeHandle", include_str!("runtime/NativeHandle.java")),
            ("NativeMemory", include_str!("runtime/NativeMemory.java")),
        ];
        if wide {
            files.push(("Int128", include_str!("runtime/Int128.java")));
        }
        if self.keeps() {
            files.push(("NativeKept", include_str!("runtime/NativeKept.java")));
        }
        if self.limits() {
            files.push(("NativeLimits", include_str!("runtime/NativeLimits.java")));
        }
        if self.jni() {
            files.extend([
                ("AddressLayout", include_str!("runtime/jni/AddressLayout.java")),
                ("Arena", include_str!("runtime/jni/Arena.java")),
                ("GroupLayout", include_str!("runtime/jni/GroupLayout.java")),
                ("MemorySegment", include_str!("runtime/jni/MemorySegment.java")),
                ("NativeLibrary", include_str!("runtime/jni/NativeLibrary.java")),
                ("SegmentAllocator", include_str!("runtime/jni/SegmentAllocator.java")),
                ("ValueLayout", include_str!("runtime/jni/ValueLayout.java")),
            ]);
        } else {
            files.push(("NativeLibrary", include_str!("runtime/NativeLibrary.java")));
        }
        let library = &self.api.library;
        let target = &self.api.target;
        let (high, low) = if target.big_endian { ("0", "8") } else { ("8", "0") };
        let fill = |text: &str| {
            repeated(&self.chosen(text))
                .replace("@TRAMPOLINES@", &upcall_glue::slots::SLOTS.to_string())
                .replace(
                    "@NULLABLE@",
                    if self.options.jspecify { "@org.jspecify.annotations.Nullable " } else { "" },
                )
                .replace("@WIDE@", if wide { WIDE } else { "" })
                .replace("@WIDE_SCRATCH@", if wide { WIDE_SCRATCH } else { "" })
                .replace("@HIGH@", high)
                .replace("@LOW@", low)
                .replace("@CHECK@", self.changes_check())
                .replace("@PACKAGE@", &self.package)
                .replace("@NAME@", &literal(library))
                .replace("@PROPERTY@", &literal(&format!("{library}.library")))
                .replace("@VARIABLE@", &literal(&glue::variable(library)))
                .replace("@POINTER@", &target.pointer.to_string())
                .replace("@LONG@", &target.long.to_string())
                .replace("@TRIPLE@", &literal(&target.triple))
        };
        files.into_iter().map(|(name, text)| File::new(self.path(name), fill(text))).collect()
    }

    /// Whether a function keeps a callback.
    fn keeps(&self) -> bool {
        self.interfaces().iter().any(|interface| interface.signature.kept)
    }

    /// The lines of one mechanism: `//ffm` begins those of java.lang.foreign, `//jni` those of JNI, `//end` the
    /// lines for both.
    pub fn chosen(&self, text: &str) -> String {
        let mut of: Option<bool> = None;
        let mut chosen = String::with_capacity(text.len());
        for line in text.lines() {
            match line {
                "//ffm" => of = Some(false),
                "//jni" => of = Some(true),
                "//end" => of = None,
                _ if of.is_none_or(|jni| jni == self.jni()) => {
                    chosen.push_str(line);
                    chosen.push('\n');
                }
                _ => {}
            }
        }
        chosen
    }
}
