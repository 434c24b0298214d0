package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ConformanceContract;
import io.idem.http.contract.ConformanceEndpoints;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

@AppTest(
        value = ReactiveConformanceTest.OnNetty.class,
        type = WebApplicationType.REACTIVE,
        settings = ConformanceContract.SETTINGS)
class ReactiveConformanceTest extends ConformanceContract {

    ReactiveConformanceTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ConformanceEndpoints.class, ReactiveShop.Open.class})
    static class OnNetty {

        @Bean
        NettyReactiveWebServerFactory server() {
            return new NettyReactiveWebServerFactory();
        }
    }
}
