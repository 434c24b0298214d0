package io.idem.http.webflux;

import com.example.shop.ReactiveGuards;
import io.idem.http.contract.LaterFiltersContract;
import java.util.List;
import org.springframework.boot.WebApplicationType;

class ReactiveLaterFiltersTest extends LaterFiltersContract {

    ReactiveLaterFiltersTest() {
        super(WebApplicationType.REACTIVE, ReactiveGuards.Unordered.class, ReactiveGuards.InFront.class);
    }

    @Override
    protected List<Object[]> behind() {
        return List.of(
                new Object[] {ReactiveGuards.Unordered.class, "unordered"},
                new Object[] {ReactiveGuards.Lambda.class, "lambda"},
                new Object[] {ReactiveGuards.Customizer.class, ReactiveGuards.Guard.class.getName()},
                new Object[] {ReactiveGuards.OwnHandler.class, ReactiveGuards.Guard.class.getName()},
                new Object[] {ReactiveGuards.HiddenHandler.class, "httpHandler"},
                new Object[] {ReactiveGuards.Wrapped.class, "unordered"});
    }

    @Override
    protected List<Object[]> furtherBehind() {
        return List.of(
                new Object[] {ReactiveGuards.Unordered.class, ReactiveGuards.Guard.class.getName()},
                new Object[] {ReactiveGuards.Anonymous.class, "anonymous"},
                new Object[] {ReactiveGuards.HandlerByPath.class, ReactiveGuards.Guard.class.getName()},
                new Object[] {ReactiveGuards.InnerFilters.class, ReactiveGuards.Guard.class.getName()},
                new Object[] {ReactiveGuards.GuardingHandler.class, "httpHandler"});
    }

    @Override
    protected List<Class<?>> harmless() {
        return List.of(ReactiveGuards.Cors.class, ReactiveGuards.WrappedIdem.class);
    }

    @Override
    protected List<Object[]> securityBehind() {
        return List.of(
                new Object[] {ReactiveGuards.SecurityBehind.class, "server.error.path=/error"},
                new Object[] {ReactiveGuards.SecuritySubclass.class, "server.error.path=/error"});
    }
}
