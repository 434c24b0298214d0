package io.idem.workshop.chaos.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The plots of the page of results. Pure functions. */
final class Plots {

    private static final double TARGET_MILLIS = 5_000;

    private Plots() {}

    /** Returns a plot of all takeovers as dots, by class and lane. */
    static String takeovers(List<ClassTotals> classes, long leaseMillis) {
        List<DotPlot.Row> rows = rows(classes, LaneTotals::takeover);
        return new DotPlot(
                        "Takeover times",
                        "From SIGKILL or SIGSTOP to an owner, to the next grant of its key; one dot each. The line is the lease.",
                        rows,
                        leaseMillis)
                .svg();
    }

    /** Returns a plot of all recoveries as dots, by class and lane. */
    static String recoveries(List<ClassTotals> classes) {
        return new DotPlot(
                        "Recovery times",
                        "From the end of an outage to the next effect of a lane; one dot each. The line is the target after Redis returned, 5 s.",
                        rows(classes, LaneTotals::recovery),
                        TARGET_MILLIS)
                .svg();
    }

    private static List<DotPlot.Row> rows(List<ClassTotals> classes, Function<LaneTotals, Distribution> which) {
        List<DotPlot.Row> rows = new ArrayList<>();
        for (ClassTotals totals : classes) {
            for (LaneTotals lane : totals.lanes()) {
                Distribution times = which.apply(lane);
                if (times.count() > 0) {
                    rows.add(new DotPlot.Row(
                            totals.faultClass().id() + ", " + lane.lane().id(), times.millis()));
                }
            }
        }
        return rows;
    }

    /** Returns a grid of the lost and duplicate messages of each class and mode. */
    static String losses(List<ClassTotals> classes) {
        List<CountGrid.Row> rows = classes.stream()
                .map(totals -> new CountGrid.Row(
                        totals.faultClass().id(),
                        List.of(
                                sum(totals.lanes(true), true),
                                sum(totals.lanes(true), false),
                                sum(totals.lanes(false), true),
                                sum(totals.lanes(false), false))))
                .toList();
        return new CountGrid(
                        "Messages lost and doubled",
                        "By class of faults and mode. Doubles with Redis alone have the declared causes that the page lists.",
                        List.of("lost, inbox", "double, inbox", "lost, Redis alone", "double, Redis alone"),
                        rows)
                .svg();
    }

    private static int sum(List<LaneTotals> lanes, boolean lost) {
        return lanes.stream()
                .mapToInt(lost ? LaneTotals::lost : LaneTotals::doubled)
                .sum();
    }
}
