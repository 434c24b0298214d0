package io.idem.servers.junit;

/** The condition of {@link RequiresEarlierVersion}. */
final class EarlierVersionCondition extends ServerCondition {

    private static final String INSISTING = "IDEM_REQUIRE_EARLIER_VERSION";

    EarlierVersionCondition() {
        super(
                "an earlier version of idem",
                "run eval \"$(.ci/earlier-version env)\" before",
                INSISTING,
                () -> System.getenv(RequiresEarlierVersion.FOLDER) != null,
                () -> isSet(INSISTING));
    }
}
