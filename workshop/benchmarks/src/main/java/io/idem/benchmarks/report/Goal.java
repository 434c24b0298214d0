package io.idem.benchmarks.report;

import java.util.Optional;

/**
 * A goal: a figure against its control of the same run.
 *
 * @param id the id, such as {@code G1}
 * @param what the figure in words
 * @param figure the name of the figure
 * @param control the name of the control; empty if the figure is judged by itself
 * @param against the control in words
 * @param bound the limits of the ratio
 */
public record Goal(String id, String what, String figure, String control, String against, Bound bound) {

    /** The end of a figure's name if its control differed too much from itself to judge it. */
    public static final String OF_A_VOID_RUN = ", of a void run";

    /** Returns the ratio, if both figures were measured. */
    public Optional<Figure> ratio(Figures figures) {
        return control.isEmpty() ? figures.of(figure) : figures.ratio(figure, control);
    }

    public Verdict verdict(Figures figures) {
        Verdict unjudged = figures.of(figure + OF_A_VOID_RUN).isPresent() ? Verdict.VOID : Verdict.NOT_RUN;
        return ratio(figures).map(ratio -> bound.judge(ratio.median())).orElse(unjudged);
    }

    /** Returns the unit of its numbers: a figure without a control is a count, not a ratio. */
    public String unit() {
        return control.isEmpty() ? "" : "×";
    }
}
