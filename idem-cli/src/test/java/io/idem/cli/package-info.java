@NullMarked
package io.idem.cli;

import org.jspecify.annotations.NullMarked;
