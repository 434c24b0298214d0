package io.idem.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.gateway.ApiKeys.ApiKey;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApiKeysTest {

    @Test
    void everyKeyOfATenantIsItsOwn() {
        ApiKeys keys =
                new ApiKeys(List.of(ApiKey.of("north", "old"), ApiKey.of("south", "s"), ApiKey.of("north", "new")));

        assertThat(keys.tenantOf("old")).contains("north");
        assertThat(keys.tenantOf("new")).contains("north");
        assertThat(keys.tenantOf("s")).contains("south");
        assertThat(keys.tenantOf("")).isEmpty();
        assertThat(keys.tenantOf("o")).isEmpty();
    }

    @Test
    void aKeyIsKnownByItsDigest() {
        ApiKey abc = new ApiKey("north", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");

        assertThat(new ApiKeys(List.of(abc)).tenantOf("abc")).contains("north");
        assertThat(ApiKey.of("north", "abc")).isEqualTo(abc);
    }

    @Test
    void oneKeyOfTwoTenantsIsRefused() {
        assertThatThrownBy(() -> new ApiKeys(List.of(ApiKey.of("north", "same"), ApiKey.of("south", "same"))))
                .isInstanceOf(GatewayConfigurationException.class)
                .hasMessageContaining("idem.gateway.api-keys");
    }
}
