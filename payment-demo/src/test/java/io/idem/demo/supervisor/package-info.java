@NullMarked
package io.idem.demo.supervisor;

import org.jspecify.annotations.NullMarked;
