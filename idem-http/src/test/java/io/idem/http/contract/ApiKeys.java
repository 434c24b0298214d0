package io.idem.http.contract;

/** Two tenants and the digests of their API keys, {@code key-of-acme} and {@code key-of-umbrella}. */
public final class ApiKeys {

    public static final String HEADER = "X-API-Key";
    public static final String ACME = "689febd264f8b977e29c0fdb75f839eb248ba07d1561b14f2b95f42756943245";
    public static final String UMBRELLA = "7bc381aa4003ed9b4fab09980f8b5eaff1059f58eed25a0842fa8fe580f5a15e";

    private ApiKeys() {}
}
