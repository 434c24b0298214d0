package io.idem.benchmarks.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the figures were measured on. */
public final class Machine {

    private final Map<String, String> facts = new LinkedHashMap<>();

    /** This machine and this JVM. */
    public Machine() {
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        facts.put("JVM", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    }

    /** One more fact. */
    public Machine with(String name, String value) {
        facts.put(name, value);
        return this;
    }

    /** The facts, in their order. */
    public Map<String, String> facts() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }

    /** One line. */
    public String line() {
        return String.join(
                "; ",
                facts.entrySet().stream()
                        .map(fact -> fact.getKey() + " " + fact.getValue())
                        .toList());
    }
}
