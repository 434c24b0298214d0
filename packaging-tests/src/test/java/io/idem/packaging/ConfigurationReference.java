package io.idem.packaging;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The page that lists all settings. */
final class ConfigurationReference {

    private static final String HEAD = """
            # Settings

            Every setting of idem. This page is made from the configuration metadata of the modules, which is also what editors complete from; a
            test compares both. How settings work together is told by the pages of the subjects, see the [README](../README.md#make-it-yours).

            - Durations are written `500ms`, `30s`, `5m`, `1d`; sizes `64KB`, `1MB`.
            - `[]` stands for the number of an element, `<name>` for a name that you choose. A name with dots is written in brackets, as in
              `idem.scopes[http.shop].lease`.
            - A setting whose default is "as described" takes it from other settings, or leaves something off.
            - Wrong values end the start with a message that names the setting and what to do.
            """;

    private final List<Setting> settings;

    ConfigurationReference(List<Setting> settings) {
        this.settings = settings;
    }

    String page() {
        return HEAD
                + sections().entrySet().stream()
                        .map(section -> section(section.getKey(), section.getValue()))
                        .collect(Collectors.joining());
    }

    private Map<String, List<Setting>> sections() {
        return settings.stream()
                .sorted(Comparator.comparing(Setting::name))
                .collect(Collectors.groupingBy(ConfigurationReference::section, TreeMap::new, Collectors.toList()));
    }

    /** The first two words of the name; only the first where that is all but the last. The settings of the intake's service stand apart. */
    private static String section(Setting setting) {
        String[] words = setting.name().replace("[]", "").split("\\.", -1);
        boolean direct = words.length == 2 || words[1].equals("backoff") || words[1].equals("scopes");
        String name = direct ? words[0] : words[0] + "." + words[1];
        return setting.module().equals("idem-api-gateway-service") ? name + " of the service" : name;
    }

    private static String section(String name, List<Setting> rows) {
        String modules = rows.stream()
                .map(row -> "`" + row.module() + "`")
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return "\n## " + name + "\n\nOf " + modules
                + ".\n\n| setting | values | default | meaning |\n| --- | --- | --- | --- |\n"
                + rows.stream().map(ConfigurationReference::row).collect(Collectors.joining());
    }

    private static String row(Setting setting) {
        return "| `" + setting.name() + "` | " + setting.values() + " | " + setting.defaultValue() + " | "
                + escaped(setting.description()) + " |\n";
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;");
    }
}
