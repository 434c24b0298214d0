package io.idem.applications.mutation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page about a run. */
final class Report {

    private static final String ABOUT = """
            # Class-path mutation

            The mutation test of `application-tests` writes this page. It reads idem's main classes for the types and members of frameworks on
            which idem depends without a linker's check: what they extend, implement and override, what they reach by reflection, which names of
            called methods they compare, and what their conditions name. Each row changes one of these names in the frameworks' classes and in the
            application's, as if the frameworks had moved or renamed it; idem's classes stay as they were compiled. Then an ordinary
            application with an inbox in PostgreSQL starts on a broker. It gets an order whose work writes a row, sends an event and fails three
            times; the same order again; and another order.

            The judge is what the broker and the table of the work show, and a counter of runs. **Refused**: the application does not start.
            **Stopped**: its listener or its process has stopped, or its consumer holds the order and acknowledges nothing; the broker still
            has the order, no event of failed work has left, and no order was done twice. **Protected**: the duplicate did not run, and no event
            of failed work has left. Anything else is a bad row. *Silent*: work was done twice, events of failed work left, or a message was lost.
            *Neither runs nor stops*: the order comes again and again. *Broken*: the frameworks themselves miss the name. An application
            without idem's auto-configurations is silent, which shows that the judge sees it.

            Not tried: WebFlux, containers of AMQP 1.0, share consumers, batches, transactions of containers, processing ahead of time.
            """;

    private Report() {}

    static void write(Path file, Map<Row, Verdict> results) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, text(results));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Map<Row, Verdict> results) {
        return Stream.concat(
                        Stream.of(ABOUT, counts(results)),
                        Stream.concat(
                                Stream.of(bad(results)),
                                Arrays.stream(Transport.values()).map(transport -> of(transport, results))))
                .collect(Collectors.joining("\n"));
    }

    private static String counts(Map<Row, Verdict> results) {
        String head = Arrays.stream(Outcome.values()).map(Outcome::words).collect(Collectors.joining(" | "));
        return "| application | rows | " + head + " |\n| --- |" + " ---: |".repeat(1 + Outcome.values().length) + "\n"
                + Arrays.stream(Transport.values())
                        .map(transport -> "| " + transport.title() + " | "
                                + rows(transport, results).count() + " | "
                                + Arrays.stream(Outcome.values())
                                        .map(outcome -> Long.toString(rows(transport, results)
                                                .filter(row -> row.getValue().outcome() == outcome)
                                                .count()))
                                        .collect(Collectors.joining(" | "))
                                + " |\n")
                        .collect(Collectors.joining());
    }

    private static Stream<Map.Entry<Row, Verdict>> rows(Transport transport, Map<Row, Verdict> results) {
        return results.entrySet().stream()
                .filter(row -> row.getKey().transport() == transport)
                .filter(row -> !row.getKey().mutation().owners().isEmpty())
                .sorted(Comparator.comparing(row -> row.getKey().toString()));
    }

    private static String bad(Map<Row, Verdict> results) {
        List<String> bad = Arrays.stream(Transport.values())
                .flatMap(transport -> rows(transport, results))
                .filter(row -> !row.getValue().outcome().isAllowed())
                .map(row -> "| " + row.getKey().transport().title() + " " + line(row))
                .toList();
        return "## Bad rows\n\n"
                + (bad.isEmpty()
                        ? "None.\n"
                        : "| application | changed | idem's classes | outcome | what was seen |\n| --- | --- | --- | --- | --- |\n"
                                + String.join("", bad));
    }

    private static String of(Transport transport, Map<Row, Verdict> results) {
        return Stream.of(Mutation.Kind.TYPE, Mutation.Kind.METHOD, Mutation.Kind.FIELD)
                .map(kind -> group(transport, kind, results))
                .filter(group -> !group.isEmpty())
                .collect(Collectors.joining("\n", "## " + transport.title() + "\n\n", ""));
    }

    private static String group(Transport transport, Mutation.Kind kind, Map<Row, Verdict> results) {
        String lines = rows(transport, results)
                .filter(row -> row.getKey().mutation().kind() == kind)
                .map(Report::line)
                .collect(Collectors.joining());
        return lines.isEmpty()
                ? ""
                : "| " + kind.title() + " | idem's classes | outcome | words |\n| --- | --- | --- | --- |\n" + lines;
    }

    private static String line(Map.Entry<Row, Verdict> row) {
        Mutation mutation = row.getKey().mutation();
        return "| `" + mutation.id() + "` | " + hooks(mutation) + " | "
                + row.getValue().outcome().words() + " | "
                + row.getValue().words().replace("|", "\\|") + " |\n";
    }

    /** Returns the ways in which idem depends on the name, each with the simple names of classes. */
    private static String hooks(Mutation mutation) {
        return mutation.hooks().stream()
                .collect(Collectors.groupingBy(
                        hook -> hook.substring(0, hook.lastIndexOf(' ')),
                        TreeMap::new,
                        Collectors.mapping(
                                hook -> "`" + hook.substring(hook.lastIndexOf('/') + 1) + "`",
                                Collectors.joining(", "))))
                .entrySet()
                .stream()
                .map(way -> way.getKey() + " " + way.getValue())
                .collect(Collectors.joining(", "));
    }
}
