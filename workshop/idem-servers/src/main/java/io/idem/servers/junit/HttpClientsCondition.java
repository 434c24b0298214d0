package io.idem.servers.junit;

/** The condition of {@link RequiresHttpClients}. */
final class HttpClientsCondition extends ServerCondition {

    private static final String INSISTING = "IDEM_REQUIRE_HTTP_CLIENTS";

    HttpClientsCondition() {
        super(
                "HTTP clients of other languages",
                "run eval \"$(.ci/http-clients env)\" before",
                INSISTING,
                () -> System.getenv(RequiresHttpClients.FOLDER) != null,
                () -> isSet(INSISTING));
    }
}
