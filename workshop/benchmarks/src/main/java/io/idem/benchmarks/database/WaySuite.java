package io.idem.benchmarks.database;

import io.idem.benchmarks.Parts;
import io.idem.benchmarks.Servers;
import io.idem.benchmarks.Suite;
import io.idem.benchmarks.report.Figures;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** Measures ways beside their controls, each in an empty database of one PostgreSQL that is started for the round. */
public final class WaySuite implements Suite {

    private static final Map<String, String> POSTGRES = Map.of("shared_buffers", "256MB");
    private static final int COUNTED = 200;
    private static final int START_SECONDS = 8;

    private final String name;
    private final Servers servers;
    private final PairPlan plan;
    private final List<Comparison> comparisons;

    /** Creates a suite with this name for the option {@code --only}. */
    public WaySuite(String name, Servers servers, PairPlan plan, List<Comparison> comparisons) {
        this.name = name;
        this.servers = servers;
        this.plan = plan;
        this.comparisons = List.copyOf(comparisons);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int seconds() {
        return comparisons.stream()
                .mapToInt(comparison -> START_SECONDS + comparison.plan(plan).seconds())
                .sum();
    }

    @Override
    public int enoughRounds() {
        return FEW_ROUNDS;
    }

    @Override
    public void round(Figures figures, Random order) throws Exception {
        try (Postgres postgres = new Postgres(POSTGRES)) {
            Place place = new Place(servers, postgres);
            List<Part> parts = comparisons.stream().map(Part::new).toList();
            new Parts(order)
                    .each(parts, part -> measure(part.comparison(), place, figures))
                    .end();
        }
    }

    private void measure(Comparison comparison, Place place, Figures figures) throws Exception {
        servers.redis().command("FLUSHALL");
        WayDatabase controls = place.database();
        WayDatabase ways = place.database();
        try (Way control = comparison.openControl(place, controls);
                Way way = comparison.open(place, ways)) {
            List<Pairs.Pair> pairs = new Pairs(comparison.plan(plan), place.cpu()).measure(control, way);
            WayFigures named = new WayFigures(comparison.name());
            compare(pairs, named, new WayFigures(comparison.control()), figures);
            count(control, controls, new WayFigures(comparison.control()), figures);
            count(way, ways, named, figures);
            comparison.addFigures(figures, way, ways);
        }
    }

    private static void compare(List<Pairs.Pair> pairs, WayFigures way, WayFigures control, Figures figures) {
        Quartiles rates = Pairs.ratio(pairs, (one, other) -> one.rate() / other.rate());
        figures.add(way.rate(), "x", rates.median());
        figures.add(way.lowerQuartile(), "x", rates.lower());
        figures.add(way.upperQuartile(), "x", rates.upper());
        figures.add(
                way.cpu(),
                "x",
                Pairs.ratio(pairs, (one, other) -> one.cpu() / other.cpu()).median());
        figures.add(
                way.messages(),
                "/s",
                Pairs.ratio(pairs, (one, other) -> one.rate()).median());
        figures.add(
                control.messages(),
                "/s",
                Pairs.ratio(pairs, (one, other) -> other.rate()).median());
    }

    private void count(Way way, WayDatabase database, WayFigures named, Figures figures) throws Exception {
        if (way.pools().isEmpty()) {
            return;
        }
        way.stopBackground();
        if (!(way instanceof CallerWay caller)) {
            report(named, database.count(way.pools(), () -> oneSlice(way)), figures);
            return;
        }
        report(named, database.count(way.pools(), () -> newMessages(caller)), figures);
        if (caller.recognisesDuplicates()) {
            countDuplicates(caller, database, named, figures);
        }
    }

    private static void countDuplicates(CallerWay caller, WayDatabase database, WayFigures named, Figures figures)
            throws Exception {
        UUID key = UUID.randomUUID();
        caller.message(key);
        Counts duplicates = database.count(caller.pools(), () -> duplicates(caller, key));
        figures.add(named.duplicate(), "", duplicates.roundTrips());
    }

    private static void report(WayFigures named, Counts counts, Figures figures) {
        figures.add(named.commits(), "", counts.commits());
        figures.add(named.roundTrips(), "", counts.roundTrips());
    }

    private long oneSlice(Way way) throws Exception {
        long before = way.handled();
        way.prepare();
        try {
            way.run(System.nanoTime() + plan.slice().toNanos());
        } finally {
            way.settle();
        }
        return way.handled() - before;
    }

    private static long newMessages(CallerWay way) throws Exception {
        for (int number = 0; number < COUNTED; number++) {
            way.message(UUID.randomUUID());
        }
        return COUNTED;
    }

    private static long duplicates(CallerWay way, UUID key) throws Exception {
        for (int number = 0; number < COUNTED; number++) {
            way.message(key);
        }
        return COUNTED;
    }

    private record Part(Comparison comparison) implements Parts.Part {

        @Override
        public String name() {
            return comparison.name();
        }
    }
}
