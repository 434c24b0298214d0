package io.idem.benchmarks.listener;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The stack traces of threads that work for a listener. */
final class Standing {

    private static final int DEEPEST = 40;

    private Standing() {}

    /** Returns the stack of every thread that runs code of idem or of a listener container. */
    static String stacks() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey() != Thread.currentThread() && concerns(thread.getValue()))
                .map(Standing::text)
                .collect(Collectors.joining());
    }

    private static boolean concerns(StackTraceElement[] stack) {
        return Stream.of(stack)
                .map(StackTraceElement::getClassName)
                .anyMatch(type -> type.startsWith("io.idem.") || type.contains("ListenerContainer"));
    }

    private static String text(Map.Entry<Thread, StackTraceElement[]> thread) {
        return Stream.of(thread.getValue())
                .limit(DEEPEST)
                .map(frame -> "\n    at " + frame)
                .collect(Collectors.joining("", "\n" + thread.getKey().getName(), ""));
    }
}
