package io.idem.workshop.chaos.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Figures of a process, from the operating system and from the process itself. Figures that this system does not offer
 * are omitted.
 */
final class ProcessView {

    private static final double MEGABYTE = 1 << 20;
    private static final double KILOBYTES = 1 << 10;

    private final Path vitals;
    private final Path machine;

    ProcessView(long pid, Path vitals) {
        this.vitals = vitals.resolve(Long.toString(pid));
        this.machine = Path.of("/proc", Long.toString(pid));
    }

    Map<Measure, Double> look() {
        Map<Measure, Double> found = new EnumMap<>(Measure.class);
        try {
            String[] own = Files.exists(vitals) ? Files.readString(vitals).split(" ", 2) : new String[0];
            if (own.length == 2) {
                found.put(Measure.HEAP, Long.parseLong(own[0]) / MEGABYTE);
                found.put(Measure.THREADS, Double.valueOf(own[1]));
            }
            if (Files.exists(machine)) {
                found.put(Measure.RSS, resident());
                found.put(Measure.FILES, files());
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException("Process " + machine.getFileName() + " cannot be looked at", e);
        }
    }

    private double resident() throws IOException {
        try (Stream<String> lines = Files.lines(machine.resolve("status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / KILOBYTES)
                    .findFirst()
                    .orElse(0);
        }
    }

    private double files() throws IOException {
        try (Stream<Path> open = Files.list(machine.resolve("fd"))) {
            return open.count();
        }
    }
}
