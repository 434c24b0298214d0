@NullMarked
package io.idem.demo.story;

import org.jspecify.annotations.NullMarked;
