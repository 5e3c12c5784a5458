use super::{Cursor, clang, cursor::place, text};
use crate::model::Place;
use clang_sys as raw;
use std::ffi::CString;
use std::ptr;

/// A parsed file. It never leaves its thread.
pub struct Unit {
    index: raw::CXIndex,
    unit: raw::CXTranslationUnit,
}

/// A diagnostic of clang's about a file.
pub struct Problem {
    /// Whether parsing failed, rather than only style.
    pub error: bool,
    /// Where, if anywhere.
    pub place: Option<Place>,
    /// In clang's words.
    pub message: String,
}

impl Unit {
    /// Parses `source` as a C file called `name` that need not exist.
    pub fn parse(name: &str, source: &str, arguments: &[String]) -> Result<Unit, String> {
        let zero = |_| "an argument holds a zero byte".to_owned();
        let name = CString::new(name).map_err(zero)?;
        let arguments: Vec<CString> = arguments
            .iter()
            .map(|argument| CString::new(argument.as_str()))
            .collect::<Result<_, _>>()
            .map_err(zero)?;
        let pointers: Vec<_> = arguments.iter().map(|argument| argument.as_ptr()).collect();
        let mut file = raw::CXUnsavedFile {
            Filename: name.as_ptr(),
            Contents: source.as_ptr().cast(),
            Length: source.len() as _,
        };
        let index = clang!(clang_createIndex(0, 0));
        let mut unit = Unit { index, unit: ptr::null_mut() };
        let code = clang!(clang_parseTranslationUnit2(
            index,
            name.as_ptr(),
            pointers.as_ptr(),
            pointers.len() as _,
            &mut file,
            1,
            raw::CXTranslationUnit_DetailedPreprocessingRecord,
            &mut unit.unit,
        ));
        if code == raw::CXError_Success { Ok(unit) } else { Err(format!("libclang failed with code {code}")) }
    }

    /// Errors and warnings, in order.
    pub fn problems(&self) -> Vec<Problem> {
        (0..clang!(clang_getNumDiagnostics(self.unit)))
            .map(|index| {
                let diagnostic = clang!(clang_getDiagnostic(self.unit, index));
                let problem = Problem {
                    error: clang!(clang_getDiagnosticSeverity(diagnostic)) >= raw::CXDiagnostic_Error,
                    place: place(clang!(clang_getDiagnosticLocation(diagnostic))),
                    message: text(clang!(clang_getDiagnosticSpelling(diagnostic))),
                };
                clang!(clang_disposeDiagnostic(diagnostic));
                problem
            })
            .collect()
    }

    /// The file itself: its children are all declarations.
    pub fn root(&self) -> Cursor<'_> {
        Cursor::new(clang!(clang_getTranslationUnitCursor(self.unit)))
    }

    /// The text of the tokens that a declaration or a macro consists of.
    pub fn tokens(&self, cursor: Cursor<'_>) -> Vec<String> {
        let (mut tokens, mut count) = (ptr::null_mut(), 0);
        clang!(clang_tokenize(self.unit, cursor.extent(), &mut tokens, &mut count));
        let list = (0..count as usize)
            .map(|index| {
                // SAFETY: libclang says that there are `count` tokens.
                let token = unsafe { *tokens.add(index) };
                text(clang!(clang_getTokenSpelling(self.unit, token)))
            })
            .collect();
        clang!(clang_disposeTokens(self.unit, tokens, count));
        list
    }

    /// The size of an address in bytes, and the target's name as clang writes it.
    pub fn target(&self) -> (u64, String) {
        let target = clang!(clang_getTranslationUnitTargetInfo(self.unit));
        let pointer = clang!(clang_TargetInfo_getPointerWidth(target)) as u64 / 8;
        let triple = text(clang!(clang_TargetInfo_getTriple(target)));
        clang!(clang_TargetInfo_dispose(target));
        (pointer, triple)
    }
}

impl Drop for Unit {
    fn drop(&mut self) {
        if !self.unit.is_null() {
            clang!(clang_disposeTranslationUnit(self.unit));
        }
        clang!(clang_disposeIndex(self.index));
    }
}
