package io.idem.internal.method;

import io.idem.servers.SharedServers;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class RedisMethodsTest extends MethodContract {

    @Override
    ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withPropertyValues(
                        "spring.data.redis.url=" + SharedServers.redis().uri());
    }
}
