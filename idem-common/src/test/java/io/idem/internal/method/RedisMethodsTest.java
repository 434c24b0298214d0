package io.idem.internal.method;

import io.idem.servers.SharedServers;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@Tag("servers")
class RedisMethodsTest extends MethodContract {

    @Override
    ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withPropertyValues(
                        "spring.data.redis.url=" + SharedServers.redis().uri());
    }
}
