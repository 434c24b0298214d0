package io.idem.packaging;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The page with the list of all settings. */
final class ConfigurationReference {

    private static final String HEAD = """
            # Settings

            Every setting of idem. This page is made from the configuration metadata of the modules, which is also what editors complete from; a
            test compares both. How settings work together is told by the pages of the subjects, see the [index](README.md).

            - Durations are written `500ms`, `30s`, `5m`, `1d`; sizes `64KB`, `1MB`.
            - `[]` stands for the number of an element, `<name>` for a name that you choose. A name with dots is written in brackets, as in
              `idem.scopes[http.shop].lease`.
            - Wrong values end the start with a message that names the setting and what to do. Names that no module on the class path knows have no
              effect: one WARN at start names them beside the nearest known ones, unless they are environment variables. A native
              image and a shaded jar, in which the metadata is missing, name none.

            ## The ten that matter

            | setting | default | what breaks when it is wrong |
            | --- | --- | --- |
            | `idem.lease` | 30 s | too short, a pause of the process lets another owner begin while the first still works; too long, a crash delays its key |
            | `idem.retention` | 24 h | shorter than the latest duplicate, it runs the work again |
            | `idem.max-attempts` | 0, no limit | without a limit, work that always fails is tried for ever; with a low one, a short fault makes dead letters |
            | `idem.takeover` | rerun | `rerun` repeats effects that a crashed attempt already had and that nothing else makes safe to repeat |
            | `idem.store` | redis | Redis that loses its data forgets what was done, and duplicates run; PostgreSQL remembers and is slower |
            | `idem.redis.namespace` | idem | two environments with one namespace answer each other's duplicates, and work is skipped |
            | `idem.redis.replication.replicas` | 0 | with 0, a failover may lose the newest records; with more than there are, nothing is granted |
            | `idem.consumer.missing-key` | dead-letter | with `run-unguarded`, duplicates without a key run; with `acknowledge`, messages without a key are lost |
            | `idem.http.tenant` | the principal | where callers share a tenant, one gets another's stored answer for the same key |
            """;

    /** The prefixes of settings of scopes and routes, and the general settings that they override. */
    private static final Map<String, String> REFINEMENTS = Map.of(
            "idem.scopes.<name>.",
            "idem.",
            "idem.http.routes[].",
            "idem.http.",
            "idem.gateway.routes[].",
            "idem.http.");

    private final List<Setting> settings;
    private final Set<String> names;

    ConfigurationReference(List<Setting> settings) {
        this.settings = settings;
        this.names = settings.stream().map(Setting::name).collect(Collectors.toSet());
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

    /**
     * Returns the first two words of the name, or only the first if there are two words in all. The settings of the
     * service are in sections of their own.
     */
    private static String section(Setting setting) {
        String[] words = setting.name().replace("[]", "").split("\\.", -1);
        boolean direct = words.length == 2 || words[1].equals("backoff") || words[1].equals("scopes");
        String name = direct ? words[0] : words[0] + "." + words[1];
        return setting.module().equals("idem-api-gateway-service") ? name + " of the service" : name;
    }

    private String section(String name, List<Setting> rows) {
        String modules = rows.stream()
                .map(row -> "`" + row.module() + "`")
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return "\n## " + name + "\n\nOf " + modules
                + ".\n\n| setting | values | default | meaning |\n| --- | --- | --- | --- |\n"
                + rows.stream().filter(row -> !isRepeated(row)).map(this::row).collect(Collectors.joining());
    }

    /** Returns whether a setting of a scope or route has the name of a general one. */
    private boolean isRepeated(Setting setting) {
        return general(setting).filter(names::contains).isPresent();
    }

    private static Optional<String> general(Setting setting) {
        return REFINEMENTS.entrySet().stream()
                .filter(refinement -> setting.name().startsWith(refinement.getKey()))
                .map(refinement -> refinement.getValue()
                        + setting.name().substring(refinement.getKey().length()))
                .findFirst();
    }

    private String row(Setting setting) {
        return "| `" + setting.name() + "` | " + setting.values() + " | " + escaped(setting.defaultValue()) + " | "
                + escaped(setting.meaning()) + refinements(setting) + " |\n";
    }

    private String refinements(Setting whole) {
        String repeated = settings.stream()
                .filter(part -> part.name().startsWith(whole.name() + ".<name>.")
                        || part.name().startsWith(whole.name() + "[]."))
                .filter(this::isRepeated)
                .flatMap(part -> general(part).stream())
                .sorted()
                .map(name -> "`" + name + "`")
                .collect(Collectors.joining(", "));
        return repeated.isEmpty() ? "" : "; each takes, in place of the setting for all: " + repeated;
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;");
    }
}
