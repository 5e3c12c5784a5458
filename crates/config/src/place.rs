use crate::mistake::Mistake;
use std::collections::HashMap;
use std::ops::Range;
use upcall_flow::{Place, Problem};

/// Where in the text each part of a flow came from, so that what the check finds can be shown there.
#[derive(Default)]
pub(crate) struct Places {
    /// The words of each field.
    words: HashMap<Place, Vec<(String, Range<usize>)>>,
    /// Fields that could not be read: nothing that the check says about them is new.
    unread: Vec<Place>,
}

impl Places {
    pub(crate) fn add(&mut self, place: Place, word: impl ToString, span: Range<usize>) {
        self.words.entry(place).or_default().push((word.to_string(), span));
    }

    pub(crate) fn unread(&mut self, place: Place) {
        self.unread.push(place);
    }

    /// What the check found, at its place in the text; `None` for what follows from another mistake.
    pub(crate) fn mistake(&self, problem: &Problem) -> Option<Mistake> {
        let follows = match problem.place {
            // Who emits what is not known as long as something could not be read.
            Place::Handler(_, "cycle") => !self.unread.is_empty(),
            place => self.unread.contains(&place),
        };
        if follows {
            return None;
        }
        let message = problem.message.clone();
        let help = problem.help.clone();
        Some(Mistake::new(self.span(problem), message).mean(problem.suggestion.as_deref(), help))
    }

    /// The word itself, else its field, else the head of what it belongs to, else the start of the file.
    fn span(&self, problem: &Problem) -> Range<usize> {
        let words = |place| self.words.get(&place).map(Vec::as_slice).unwrap_or_default();
        let head = match problem.place {
            Place::Flow(_) => Place::Flow(""),
            Place::Pool(index, _) => Place::Pool(index, "path"),
            Place::Handler(index, _) => Place::Handler(index, "name"),
        };
        let here = words(problem.place);
        // Of a word that is there twice, the second is one too many.
        let exact = here.iter().rfind(|(word, _)| *word == problem.word);
        let found = exact.or(here.first()).or(words(head).first());
        found.map_or(0..0, |(_, span)| span.clone())
    }
}
