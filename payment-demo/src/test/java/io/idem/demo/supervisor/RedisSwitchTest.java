package io.idem.demo.supervisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.demo.page.MachinesView.Redis;
import io.idem.demo.page.NotNowException;
import org.junit.jupiter.api.Test;

class RedisSwitchTest {

    @Test
    void aDemoWithoutRedisHasNoneToStopOrStart() {
        RedisSwitch none = RedisSwitch.none();

        assertThat(none.state()).isEqualTo(Redis.NONE);
        assertThatThrownBy(none::stop).isInstanceOf(NotNowException.class).hasMessage("This demo runs without Redis.");
        assertThatThrownBy(none::start).isInstanceOf(NotNowException.class);
    }

    @Test
    void aRedisOfOthersIsLeftAlone() {
        RedisSwitch given = RedisSwitch.notOurs();

        assertThat(given.state()).isEqualTo(Redis.NOT_OURS);
        assertThatThrownBy(given::stop).isInstanceOf(NotNowException.class).hasMessageContaining("not ours to stop");
    }
}
