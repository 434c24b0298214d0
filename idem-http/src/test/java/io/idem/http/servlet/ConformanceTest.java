package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ConformanceContract;
import io.idem.http.contract.ConformanceEndpoints;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@AppTest(value = ConformanceTest.OnTomcat.class, settings = ConformanceContract.SETTINGS)
class ConformanceTest extends ConformanceContract {

    ConformanceTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ConformanceEndpoints.class, Shop.Open.class})
    static class OnTomcat {}
}
