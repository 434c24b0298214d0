package io.idem.model.trace;

import io.idem.workshop.simulation.kernel.TraceEvent;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A trace of one record that the laboratory kept. Lines that begin with {@code #} are about the run; the others are steps
 * in the order of the store: milliseconds, step, owner, fence, answer, whether the lease or the rest had ended, and state,
 * fence and attempts of the record that is left. A hyphen stands for none.
 */
final class TraceFile {

    private static final String ABOUT = "# ";
    private static final String RUN = ABOUT + "run ";
    private static final String INBOX = ABOUT + "inbox ";
    private static final int WORDS = 9;

    private TraceFile() {}

    /** Returns the traces in a file, or in all files of a directory. */
    static List<Trace> read(Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            return List.of(trace(place));
        }
        List<Trace> traces = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(place, "*.txt")) {
            for (Path file : files) {
                traces.add(trace(file));
            }
        }
        return traces;
    }

    private static Trace trace(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        String name = String.valueOf(file.getFileName());
        return new Trace(
                about(RUN, lines),
                Boolean.parseBoolean(about(INBOX, lines)),
                lines.stream()
                        .filter(line -> !line.startsWith(ABOUT) && !line.isBlank())
                        .map(line -> event(name, line))
                        .toList());
    }

    private static String about(String what, List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(what))
                .map(line -> line.substring(what.length()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No line begins with '" + what + "'"));
    }

    private static TraceEvent event(String name, String line) {
        String[] words = line.split(" ", -1);
        if (words.length != WORDS) {
            throw new IllegalArgumentException(name + " has a line that is no step: " + line);
        }
        return new TraceEvent(
                Double.parseDouble(words[0]),
                name,
                words[1],
                none(words[2]),
                Long.parseLong(words[3]),
                none(words[4]),
                Boolean.parseBoolean(words[5]),
                words[6],
                Long.parseLong(words[7]),
                Integer.parseInt(words[8]));
    }

    private static String none(String word) {
        return word.equals("-") ? "" : word;
    }
}
