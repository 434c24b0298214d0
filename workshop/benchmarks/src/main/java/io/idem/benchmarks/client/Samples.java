package io.idem.benchmarks.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * Execution samples of a recording: stacks, the innermost frame first, without waiting threads and the recorder itself.
 */
record Samples(List<List<RecordedFrame>> stacks) {

    private static final int HOTTEST = 8;
    private static final double PERCENT = 100;
    private static final String RECORDER = "jdk.jfr.";
    private static final Map<String, String> LAYERS = Map.of(
            "io.idem.benchmarks.", "the loop that measures",
            "io.idem.", "idem",
            "io.lettuce.", "Lettuce",
            "io.netty.", "Netty",
            "io.github.resilience4j.", "resilience4j");

    static Samples read(Path file) throws IOException {
        return new Samples(RecordingFile.readAllEvents(file).stream()
                .map(event -> event.getStackTrace())
                .filter(Objects::nonNull)
                .map(RecordedStackTrace::getFrames)
                .filter(stack -> stack.stream().noneMatch(frame -> type(frame).startsWith(RECORDER)))
                .toList());
    }

    /** Returns the share of each library in percent, the largest first, by the innermost frame outside the JDK. */
    Map<String, Double> layers() {
        return shares(stack -> stack.stream()
                .map(frame -> layer(type(frame)))
                .filter(layer -> !layer.isEmpty())
                .limit(1));
    }

    /** Returns the methods outside the JDK with the most samples, including samples in JDK code that they called. */
    Map<String, Double> hottest() {
        Map<String, Double> all = shares(stack -> stack.stream()
                .filter(frame -> !layer(type(frame)).isEmpty())
                .limit(1)
                .map(frame -> type(frame).replaceFirst(".*\\.", "") + "."
                        + frame.getMethod().getName()));
        return all.entrySet().stream()
                .limit(HOTTEST)
                .collect(Collectors.toMap(
                        Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new));
    }

    private Map<String, Double> shares(Function<List<RecordedFrame>, Stream<String>> names) {
        Map<String, Long> counts =
                stacks.stream().flatMap(names).collect(Collectors.groupingBy(name -> name, Collectors.counting()));
        Map<String, Double> shares = new LinkedHashMap<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(count -> shares.put(count.getKey(), PERCENT * count.getValue() / stacks.size()));
        return shares;
    }

    private static String type(RecordedFrame frame) {
        return frame.getMethod().getType().getName();
    }

    private static String layer(String type) {
        return LAYERS.entrySet().stream()
                .filter(layer -> type.startsWith(layer.getKey()))
                .max((one, other) ->
                        Integer.compare(one.getKey().length(), other.getKey().length()))
                .map(Map.Entry::getValue)
                .orElse("");
    }
}
