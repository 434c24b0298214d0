package io.idem.gateway.service;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Name, type and tags of meters, as docs/observability.md has them and as a registry does. */
final class MeterRows {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Predicate<String> OF_THE_INTAKE =
            Pattern.compile("idem\\.(http|gateway)\\..*").asMatchPredicate();

    private MeterRows() {}

    static Set<String> documented() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "observability.md"));
        String section = page.substring(page.indexOf("### HTTP, intake and outbox"));
        return section.substring(0, section.indexOf("\n#", 5))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("\\|"))
                .filter(cells -> OF_THE_INTAKE.test(cells[1].strip().replace("`", "")))
                .map(cells -> row(
                        cells[1].strip().replace("`", ""),
                        cells[2].strip(),
                        CODE.matcher(cells[3]).results().map(tag -> tag.group(1))))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static Set<String> registered(MeterRegistry registry) {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> OF_THE_INTAKE.test(id.getName()))
                .map(id -> row(
                        id.getName(),
                        id.getType().name().toLowerCase(Locale.ROOT),
                        id.getTags().stream().map(Tag::getKey)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String row(String name, String type, Stream<String> tags) {
        return name + " " + type + " " + tags.sorted().toList();
    }
}
