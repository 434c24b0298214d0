package io.idem.benchmarks.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** A file with the run as JSON, for programs and for later comparison. */
public final class ResultFile {

    private final Path file;

    /** Creates the result file; its folder is created on demand. */
    public ResultFile(Path file) {
        this.file = file;
    }

    /** Writes the file, replacing an earlier one. */
    public void write(Machine machine, long seed, List<Goal> goals, Figures figures) {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("machine", machine.facts());
        run.put("seed", seed);
        run.put("goals", goals.stream().map(goal -> goal(goal, figures)).toList());
        run.put("figures", figures.all());
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            JsonMapper json = JsonMapper.builder().build();
            Files.writeString(file, json.writerWithDefaultPrettyPrinter().writeValueAsString(run) + "\n");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Map<String, Object> goal(Goal goal, Figures figures) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("id", goal.id());
        line.put("what", goal.what());
        line.put("goal", goal.bound().text(goal.unit()));
        goal.ratio(figures).ifPresent(ratio -> line.put("ratio", ratio.median()));
        line.put("verdict", goal.verdict(figures).text());
        return line;
    }
}
