use crate::Config;
use std::path::{Path, PathBuf};

#[test]
fn the_java_of_a_flow_is_read_with_paths_from_its_folder() {
    let text = r#"
        [pool."/a"]
        [java]
        home = "/opt/jdk"
        class_path = ["lib/a.jar", "/opt/b.jar"]
        module_path = "mods"
        options = ["-Xmx1g", "-Dlevel=3"]
    "#;
    let java = Config::parse(text, "some/flow.toml").unwrap().java;
    assert_eq!(java.java_home.as_deref(), Some(Path::new("/opt/jdk")));
    assert_eq!(java.class_path, [PathBuf::from("some/lib/a.jar"), PathBuf::from("/opt/b.jar")]);
    assert_eq!(java.module_path, [PathBuf::from("some/mods")]);
    assert_eq!(java.options, ["-Xmx1g", "-Dlevel=3"]);
}

#[test]
fn what_is_wrong_with_the_java_of_a_flow_is_shown_at_its_place() {
    let folder = std::env::temp_dir().join(format!("upcall-config-java-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("flow.toml");
    std::fs::write(folder.join("gson.jar"), "").unwrap();
    let text = "[pool.\"/a\"]\n[java]\nhome = \"\"\nclass_path = [\"gson.jar\", \"gsom.jar\", \".\"]\noption = \"-Xmx1g\"\n";
    std::fs::write(&file, text).unwrap();
    let error = Config::read(&file).unwrap_err().to_string();
    for said in [
        "`home` of [java] is empty",
        "`java.class_path`: there is no file gsom.jar",
        "did you mean `gson.jar`?",
        "did you mean `options`?",
    ] {
        assert!(error.contains(said), "{said}\n{error}");
    }
    assert_eq!(error.matches("error: ").count(), 3, "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}
