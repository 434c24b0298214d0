package io.idem.benchmarks.report;

import java.util.Optional;

/**
 * One line of the list of goals: a figure against its control of the same run.
 *
 * @param id such as {@code G1}
 * @param what the figure in words
 * @param figure its name
 * @param control the control's name; empty if the figure is judged as it is
 * @param against the control in words
 * @param bound what the ratio should be
 */
public record Goal(String id, String what, String figure, String control, String against, Bound bound) {

    /** The ratio, if both were measured. */
    public Optional<Figure> ratio(Figures figures) {
        return control.isEmpty() ? figures.of(figure) : figures.ratio(figure, control);
    }

    /** How it came out. */
    public Verdict verdict(Figures figures) {
        return ratio(figures).map(ratio -> bound.judge(ratio.median())).orElse(Verdict.NOT_RUN);
    }

    /** What stands behind its numbers: a figure without a control is a count, not a ratio. */
    public String unit() {
        return control.isEmpty() ? "" : "×";
    }
}
