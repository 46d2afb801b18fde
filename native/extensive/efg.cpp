#include "extensive/efg.hpp"

#include <functional>

namespace worldwise {

std::int32_t Distinct::number(std::string_view text) {
    const auto hash = std::uint32_t(std::hash<std::string_view>{}(text));
    auto is_it = [&](const NumberSlot &slot) { return slot.low_hash == hash && texts_[slot.number] == text; };
    NumberSlot &slot = places_.find(hash, is_it);
    if (!slot.is_used()) {
        slot = {hash, std::uint32_t(texts_.size())};
        texts_.push_back(text);
    }
    return std::int32_t(slot.number);
}

std::int32_t Mentions::row(const Mention &mention) {
    std::int32_t row = texts_.number(mention.text);
    if (std::size_t(row) == number.size()) {
        player.push_back(mention.player);
        number.push_back(mention.number);
        name.push_back(mention.name);
        listed.push_back(mention.list.empty() ? absent : lists_.number(mention.list));
    }
    return row;
}

namespace {

constexpr int most_digits = 18;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A place in the text. What reads something moves past it and says true, or stays and says false.
class Cursor {
  public:
    explicit Cursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

    const char *at() const { return at_; }
    void back_to(const char *place) { at_ = place; }
    bool at_end() const { return at_ == end_; }
    std::string_view since(const char *start) const { return {start, std::size_t(at_ - start)}; }

    bool spaces() {
        const char *start = at_;
        while (at_ != end_ && is_space(*at_)) ++at_;
        return at_ != start;
    }

    // A backslash takes the next character with it, whatever it is; a longer character's other bytes do no harm.
    bool quoted(std::string_view &inside) {
        if (at_ == end_ || *at_ != '"') return false;
        for (const char *to = at_ + 1; to < end_; ++to) {
            if (*to == '"') {
                inside = {at_ + 1, std::size_t(to - at_ - 1)};
                at_ = to + 1;
                return true;
            }
            if (*to == '\\') ++to;
        }
        return false;
    }

    bool braces(std::string_view &list) {
        if (at_ == end_ || *at_ != '{') return false;
        const char *start = at_++;
        std::string_view word;
        while (at_ != end_ && *at_ != '{' && *at_ != '}') {
            if (*at_ != '"') {
                ++at_;
            } else if (!quoted(word)) {
                break;
            }
        }
        if (at_ == end_ || *at_ != '}') {
            at_ = start;
            return false;
        }
        ++at_;
        list = since(start);
        return true;
    }

    bool number(std::int64_t &value) {
        const char *to = at_;
        std::int64_t sum = 0;
        while (to != end_ && is_digit(*to) && to - at_ < most_digits) sum = 10 * sum + (*to++ - '0');
        if (to == at_ || (to != end_ && is_digit(*to))) return false;
        value = sum;
        at_ = to;
        return true;
    }

    // A number, a name if there is one, a list if there is one.
    bool mention(Mention &mention) {
        if (!number(mention.number)) return false;
        const char *start = at_;
        spaces();
        if (!quoted(mention.name)) at_ = start;
        start = at_;
        spaces();
        if (!braces(mention.list)) at_ = start;
        return true;
    }

  private:
    const char *at_, *end_;
};

struct Node {
    char kind = 't';
    std::string_view name;
    Mention set, outcome;
};

bool read_set(Cursor &text, Node &node) {
    text.spaces();
    const char *start = text.at();
    if (node.kind == 'p' && !(text.number(node.set.player) && text.spaces())) return false;
    if (!text.mention(node.set)) return false;
    node.set.text = text.since(start);
    return true;
}

bool read_outcome(Cursor &text, Node &node) {
    text.spaces();
    const char *start = text.at();
    if (!text.mention(node.outcome)) return false;
    node.outcome.text = text.since(start);
    return true;
}

bool read_node(Cursor &text, Node &node) {
    text.spaces();
    if (text.at_end()) return false;
    node.kind = *text.at();
    if (node.kind != 't' && node.kind != 'c' && node.kind != 'p') return false;
    text.back_to(text.at() + 1);
    text.spaces();
    if (!text.quoted(node.name)) return false;
    return (node.kind == 't' || read_set(text, node)) && read_outcome(text, node);
}

}  // namespace

ScannedEfg scan_efg(std::string_view text) {
    ScannedEfg scanned;
    Cursor cursor(text);
    const char *end = cursor.at();
    for (Node node; read_node(cursor, node); node = {}) {
        if (!node.name.empty()) {
            scanned.named.push_back(std::int32_t(scanned.event.size()));
            scanned.names.push_back(node.name);
        }
        scanned.event.push_back(node.kind == 't' ? absent : scanned.sets.row(node.set));
        scanned.outcome.push_back(scanned.outcomes.row(node.outcome));
        end = cursor.at();
    }
    cursor.back_to(end);
    cursor.spaces();
    scanned.whole = cursor.at_end();
    return scanned;
}

std::string plain(std::string_view quoted) {
    std::string text;
    for (std::size_t at = 0; at < quoted.size(); ++at) {
        bool escapes =
            quoted[at] == '\\' && at + 1 < quoted.size() && (quoted[at + 1] == '"' || quoted[at + 1] == '\\');
        text += quoted[escapes ? ++at : at];
    }
    return text;
}

}  // namespace worldwise
