// How long work is interrupted.
// Long computations in the core run without the interpreter lock. They call a Poll now and then, which lets the caller
// look at signals and cancel flags. The work that is counted also serves as a limit: it is the same in every run,
// whereas time is not.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace joiner {

// Long work says what it has done, in words looked at; `ask` is called about every 50 ms, and throws to end it.
class Poll {
  public:
    explicit Poll(std::function<void()> ask) : ask_(std::move(ask)) {}

    // Adds to the work that was done. Each call counts one more than its argument, so that loops of empty calls are
    // seen too. May throw what `ask` throws.
    void spend(uint64_t work) {
        spent_ += work + 1;
        if (spent_ >= next_look_) look();
    }
    uint64_t spent() const { return spent_; }

  private:
    static constexpr uint64_t look_every = 1 << 16;
    using Clock = std::chrono::steady_clock;

    // The clock is read once in a while only, as reading it costs as much as a small piece of work.
    void look() {
        next_look_ = spent_ + look_every;
        const auto now = Clock::now();
        if (now - last_ < std::chrono::milliseconds(50)) return;
        last_ = now;
        ask_();
    }

    std::function<void()> ask_;
    Clock::time_point last_ = Clock::now();
    uint64_t spent_ = 0, next_look_ = look_every;
};

}  // namespace joiner
