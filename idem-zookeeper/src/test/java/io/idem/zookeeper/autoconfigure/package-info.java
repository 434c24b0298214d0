@NullMarked
package io.idem.zookeeper.autoconfigure;

import org.jspecify.annotations.NullMarked;
