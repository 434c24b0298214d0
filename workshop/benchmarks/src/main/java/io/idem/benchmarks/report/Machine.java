package io.idem.benchmarks.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The machine and the JVM on which the figures were measured. */
public final class Machine {

    private final Map<String, String> facts = new LinkedHashMap<>();

    /** Collects the facts about this machine and this JVM. */
    public Machine() {
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        facts.put("JVM", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
    }

    /** Adds a fact. */
    public Machine with(String name, String value) {
        facts.put(name, value);
        return this;
    }

    /** Returns the facts in the order in which they were added. */
    public Map<String, String> facts() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }

    /** Returns the facts in one line. */
    public String line() {
        return String.join(
                "; ",
                facts.entrySet().stream()
                        .map(fact -> fact.getKey() + " " + fact.getValue())
                        .toList());
    }
}
