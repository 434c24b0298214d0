package io.idem.cli;

import io.idem.internal.operations.ShownRecord;
import io.idem.operations.OperatorAct;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Prints records, a line for each and for each of its steps, or one JSON document. Results are never printed, since they
 * may be confidential.
 */
record Printer(PrintStream out, boolean json) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String STEPS = "steps";

    static Map<String, Object> record(ShownRecord record) {
        return JSON.convertValue(
                record, JSON.getTypeFactory().constructMapType(LinkedHashMap.class, String.class, Object.class));
    }

    static Map<String, Object> act(OperatorAct act) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("action", ShownRecord.lower(act.action()));
        shown.put("record", act.record().toString());
        shown.put("found", ShownRecord.lower(act.found()));
        shown.put("done", act.done());
        return shown;
    }

    /** Prints an object, or its entries in one line. */
    void print(Map<String, Object> one) {
        out.println(json ? JSON.writeValueAsString(one) : line(one));
    }

    /** Prints a list under a name, with what belongs to it. */
    void print(String name, List<Map<String, Object>> entries, Map<String, Object> about) {
        if (json) {
            Map<String, Object> document = new LinkedHashMap<>(about);
            document.put(name, entries);
            out.println(JSON.writeValueAsString(document));
        } else {
            entries.forEach(this::lines);
            about.forEach((what, value) -> out.println("# " + what + "=" + value));
        }
    }

    private void lines(Map<String, Object> record) {
        out.println(line(record));
        if (record.get(STEPS) instanceof List<?> steps) {
            steps.stream()
                    .flatMap(step -> step instanceof Map<?, ?> shown ? Stream.of(shown) : Stream.empty())
                    .forEach(step -> out.println("  " + line(step)));
        }
    }

    private static String line(Map<?, ?> one) {
        return one.entrySet().stream()
                .filter(entry ->
                        entry.getValue() != null && !entry.getValue().equals("") && !(entry.getValue() instanceof List))
                .map(entry -> entry.getKey() + "=" + printable(String.valueOf(entry.getValue())))
                .collect(Collectors.joining(" "));
    }

    /** Escapes control characters: the content of a record must not control the terminal. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
