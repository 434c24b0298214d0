package io.idem.workshop.chaos.check;

import io.idem.workshop.chaos.worker.TracedScripts;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The transitions of all records, in a file of the run, as its Redis servers logged them. */
public final class Transitions {

    private final Path file;

    /** Creates a reader and writer of this file, which need not exist yet. */
    public Transitions(Path file) {
        this.file = file;
    }

    /** Appends the transitions in the log of a server. */
    public void take(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1);
                BufferedWriter writer = Files.newBufferedWriter(
                        file, StandardCharsets.ISO_8859_1, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String line : (Iterable<String>) lines.filter(each -> each.contains(TracedScripts.MARK))::iterator) {
                writer.write(stripped(line));
                writer.newLine();
            }
        }
    }

    /** Returns the process id of the server, with which it begins each line, and the transition. */
    private static String stripped(String line) {
        return line.substring(0, line.indexOf(':')) + " "
                + line.substring(line.indexOf(TracedScripts.MARK) + TracedScripts.MARK.length());
    }

    /** Removes the file with the transitions. */
    public void forget() throws IOException {
        Files.deleteIfExists(file);
    }

    /** Returns the traces of the records of some keys, by the records' names in Redis. */
    public Map<String, RecordTrace> of(Set<String> keyIds) {
        if (!Files.exists(file)) {
            return Map.of();
        }
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            Map<String, List<Transition>> byRecord = lines.map(line -> line.split(" ", -1))
                    .filter(Transition::isWhole)
                    .filter(words -> keyIds.contains(RecordTrace.keyId(Transition.record(words))))
                    .map(Transition::of)
                    .collect(Collectors.groupingBy(Transition::record, TreeMap::new, Collectors.toList()));
            Map<String, RecordTrace> traces = new TreeMap<>();
            byRecord.forEach((record, transitions) -> traces.put(record, new RecordTrace(ordered(transitions))));
            return traces;
        } catch (IOException e) {
            throw new UncheckedIOException("The transitions cannot be read", e);
        }
    }

    /** Returns the order of a server as it is, because its clock may be set; several servers have one clock. */
    private static List<Transition> ordered(List<Transition> transitions) {
        if (transitions.stream().mapToLong(Transition::pid).distinct().count() == 1) {
            return transitions;
        }
        List<Transition> byTime = new ArrayList<>(transitions);
        byTime.sort(Comparator.comparingLong(Transition::micros));
        return byTime;
    }
}
